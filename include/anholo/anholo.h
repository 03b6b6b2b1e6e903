/* anholo/anholo.h - the whole library: contexts, expressions, models, models from text. */
#ifndef ANHOLO_ANHOLO_H
#define ANHOLO_ANHOLO_H
#include <anholo/base.h>
#include <anholo/expr.h>
#include <anholo/lang.h>
#include <anholo/model.h>
#endif

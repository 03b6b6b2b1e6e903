/* anholo/anholo.h - the whole library. */
#ifndef ANHOLO_ANHOLO_H
#define ANHOLO_ANHOLO_H
#include <anholo/analyse.h>
#include <anholo/base.h>
#include <anholo/eval.h>
#include <anholo/expr.h>
#include <anholo/lang.h>
#include <anholo/model.h>
#endif

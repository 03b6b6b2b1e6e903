/* anholo/anholo.h - the whole library: contexts, expressions, models, models from text, what they
 * are, their equations on paper and in numbers. */
#ifndef ANHOLO_ANHOLO_H
#define ANHOLO_ANHOLO_H
#include <anholo/analyse.h>
#include <anholo/answer.h>
#include <anholo/base.h>
#include <anholo/contact.h>
#include <anholo/derive.h>
#include <anholo/ensemble.h>
#include <anholo/eval.h>
#include <anholo/export.h>
#include <anholo/expr.h>
#include <anholo/integrals.h>
#include <anholo/lang.h>
#include <anholo/linearise.h>
#include <anholo/model.h>
#include <anholo/motion.h>
#include <anholo/plot.h>
#include <anholo/report.h>
#include <anholo/simulate.h>
#include <anholo/stability.h>
#include <anholo/system.h>
#endif

/* answer/answer.h - answers as text and JSON: what other modules see of this one. */
#ifndef ANSWER_ANSWER_H
#define ANSWER_ANSWER_H
#include "answer_check.h"
#include "answer_steady.h"

#endif

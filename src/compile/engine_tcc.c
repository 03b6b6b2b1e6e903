/* compile/engine_tcc.c - code in memory by libtcc. */
#include "engine_inside.h"

#include "sine.h"

#ifdef AH_WITH_TCC

#include <libtcc.h>
#include <math.h>
#include <pthread.h>

/* libtcc keeps its state in globals: one compilation at a time in a process. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void be_quiet(void *user, const char *message)
{
    (void) user;
    (void) message;
}

static void add_functions(TCCState *s)
{
    /* C has no common pointer to functions of different types: libtcc takes void pointers */
#define ADD_AS(name, f) tcc_add_symbol(s, name, (const void *) (uintptr_t) f)
#define ADD(f)          ADD_AS(#f, f)
    ADD(tan), ADD(asin), ADD(acos), ADD(atan), ADD(atan2);
    ADD(sinh), ADD(cosh), ADD(tanh), ADD(exp), ADD(log), ADD(sqrt), ADD(fabs), ADD(pow);
    ADD_AS("sin", sine_sin), ADD_AS("cos", sine_cos), ADD_AS("sincos", sine_sincos);
#undef ADD
#undef ADD_AS
}

static void *find(void *handle, const char *name)
{
    return tcc_get_symbol(handle, name);
}

static void destroy(void *handle)
{
    pthread_mutex_lock(&one_at_a_time);
    tcc_delete(handle);
    pthread_mutex_unlock(&one_at_a_time);
}

bool engine_tcc(ah_ctx *ctx, const char *written, bool may_compile, engine_code *out)
{
    (void) ctx, (void) may_compile; /* it compiles in a millisecond and keeps nothing */
    pthread_mutex_lock(&one_at_a_time);
    TCCState *s = tcc_new();
    bool good = s != NULL;
    if (good) {
        tcc_set_error_func(s, NULL, be_quiet);
        tcc_set_options(s, "-nostdlib -nostdinc");
        tcc_set_output_type(s, TCC_OUTPUT_MEMORY);
        good = tcc_compile_string(s, written) == 0;
        if (good) add_functions(s);
        good = good && tcc_relocate(s, TCC_RELOCATE_AUTO) == 0;
    }
    if (!good && s) tcc_delete(s);
    pthread_mutex_unlock(&one_at_a_time);
    if (good) *out = (engine_code){s, find, destroy};
    return good;
}

#else

bool engine_tcc(ah_ctx *ctx, const char *written, bool may_compile, engine_code *out)
{
    (void) ctx, (void) may_compile; /* it compiles in a millisecond and keeps nothing */
    (void) written;
    (void) out;
    return false;
}

#endif

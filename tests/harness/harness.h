/* harness.h - the project's own small test harness.
 *
 *     TEST(diff_of_product) { CHECK(expr_is_one(ctx, e)); CHECK_NEAR(got, want, scale, 4, "why"); }
 *
 * A program of tests prints one TAP line a test ("ok 3 - expr.diff_of_product" / "not ok …" with
 * the failed checks as # lines before it) and ends with the plan and "N passed, N failed".
 * Arguments: name filters (substrings); -l lists; -s SEED. Exit 1 when something failed.
 * AH_TOL_SCALE scales every tolerance: 0 shows all residuals. */
#ifndef HARNESS_H
#define HARNESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct harness_test {
    const char *name, *file;
    void (*run)(void);
    struct harness_test *next;
} harness_test;
void harness_register(harness_test *test);

#define TEST(id)                                                                                   \
    static void test_##id(void);                                                                   \
    static harness_test entry_##id = {#id, __FILE__, test_##id, NULL};                             \
    __attribute__((constructor)) static void register_##id(void)                                   \
    {                                                                                              \
        harness_register(&entry_##id);                                                             \
    }                                                                                              \
    static void test_##id(void)

/* Checks continue after a failure; REQUIRE ends the test. */
#define CHECK(condition) harness_check((condition), __FILE__, __LINE__, #condition)
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!harness_check((condition), __FILE__, __LINE__, #condition)) return;                   \
    } while (0)
#define CHECK_STR(got, want) harness_check_str((got), (want), __FILE__, __LINE__)
#define CHECK_INT(got, want)                                                                       \
    harness_check_int((long long) (got), (long long) (want), __FILE__, __LINE__)
/* |got − want| ≤ ulps · 2⁻⁵² · scale; the residual is printed in these units when it fails. */
#define CHECK_NEAR(got, want, scale, ulps, why)                                                    \
    harness_check_near((got), (want), (scale), (ulps), (why), __FILE__, __LINE__)
#define SKIP(reason)                                                                               \
    do {                                                                                           \
        harness_skip(reason);                                                                      \
        return;                                                                                    \
    } while (0)

bool harness_check(bool condition, const char *file, int line, const char *text);
bool harness_check_str(const char *got, const char *want, const char *file, int line);
bool harness_check_int(long long got, long long want, const char *file, int line);
bool harness_check_near(double got, double want, double scale, double ulps, const char *why,
                        const char *file, int line);
void harness_skip(const char *reason);
/* Ends a child process at once, without handlers and buffers; what gcov has counted in it is kept. */
_Noreturn void harness_leave(int status);
/* Seeded from -s (default 1) and the test's name: reproducible, independent of the order. */
uint64_t harness_random(void);
double harness_uniform(double low, double high);
/* The folder of the sources (for data files): from the build. */
const char *harness_source_dir(void);
/* How much of a long test: `some` in ./check, `more` with AH_MORE=1, as .ci/run has it, `all` with AH_FULL=1. As amount() of tap.py. */
int harness_amount(int some, int more, int all);
/* Joints, contacts, attitudes, inputs: these models take longest. */
bool harness_is_machine(const char *text);
/* Whether a model is to be looked at: ./check has a part of them, of machines the least. As models() of tap.py. */
bool harness_is_due(const char *name, const char *text);
char *harness_read_file(const char *path,
                        size_t *length); /* malloc'd; NULL when it cannot be read */

#endif

/* examples/singular_states.c - where the constraints of a model lose rank, as expressions that
 * vanish there. Usage: singular_states MODEL.ah */
#include <anholo/anholo.h>
#include <stdio.h>

static char text[100000];

/* An expression walked over: how many of its nodes are calls of a function. */
static size_t count_calls(ah_ctx *e, ah_expr x)
{
    size_t sum = ah_expr_kind(e, x) == AH_NODE_CALL;
    for (size_t i = 0; i < ah_expr_children(e, x); i++)
        sum += count_calls(e, ah_expr_child(e, x, i));
    return sum;
}

int main(int count, char **argument)
{
    FILE *file = count > 1 ? fopen(argument[1], "r") : NULL;
    if (!file) return 2;
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);

    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *answer = NULL;
    if (ah_read(ctx, argument[1], text, length, NULL, &m) != AH_OK ||
        ah_check(m, &answer) != AH_OK) {
        fputs(ah_diagnostics_text(ctx, false), stderr);
        return 1;
    }
    ah_ctx *e = ah_answer_context(answer);
    const ah_singular *singular = ah_answer_check(answer)->singular;
    if (singular->listed && !singular->cases) puts("none");
    if (!singular->listed) printf("they could not be listed: %s\n", singular->why);
    size_t calls = 0;
    for (size_t i = 0; i < singular->cases; i++) {
        const ah_singular_case *where = &singular->at[i];
        printf("%zu.%s\n", i + 1, where->met ? "" : " (perhaps empty)");
        for (size_t k = 0; k < where->equations; k++) {
            printf("   %s = 0\n", ah_print(e, where->equation[k], AH_ASCII));
            calls += count_calls(e, where->equation[k]);
        }
    }
    printf("%zu cases, %zu functions in them\n", singular->cases, calls);
    const int status = singular->listed ? 0 : 1;
    ah_answer_destroy(answer);
    ah_model_destroy(m);
    ah_ctx_destroy(ctx);
    return status;
}

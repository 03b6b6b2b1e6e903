/* examples/answers.c - what a model's claims, integrals, steady motions and equations are, as values:
 * nothing is parsed. Usage: answers MODEL.ah */
#include <anholo/anholo.h>
#include <stdio.h>

static char text[100000];

int main(int count, char **argument)
{
    FILE *file = count > 1 ? fopen(argument[1], "r") : NULL;
    if (!file) return 2;
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *claims = NULL, *integrals = NULL, *steady = NULL, *equations = NULL;
    if (ah_read(ctx, argument[1], text, length, NULL, &m) != AH_OK ||
        ah_verify(m, NULL, &claims) != AH_OK || ah_integrals(m, NULL, &integrals) != AH_OK ||
        ah_steady(m, NULL, &steady) != AH_OK || ah_derive(m, NULL, &equations) != AH_OK) {
        fputs(ah_diagnostics_text(ctx, false), stderr);
        return 1;
    }
    const ah_verify_values *v = ah_answer_verify(claims);
    for (size_t i = 0; i < v->count; i++)
        printf("line %u: %s is %s\n", ah_span_place(ctx, v->at[i].span).line, v->at[i].statement,
               ah_verdict_word(v->at[i].verdict));
    const ah_integrals_values *c = ah_answer_integrals(integrals);
    for (size_t i = 0; i < c->count; i++)
        printf("constant: %s\n", ah_print(ah_answer_context(integrals), c->at[i].e, AH_ASCII));
    const ah_steady_values *s = ah_answer_steady(steady);
    for (size_t i = 0; i < s->count; i++) {
        const ah_values *x = &s->at[i].motion.variables;
        printf("steady, %zu free:", s->at[i].motion.family);
        for (size_t k = 0; k < x->count; k++)
            printf(" %s = %.6f", ah_print(ah_answer_context(steady), x->symbol[k], AH_ASCII),
                   x->value[k]);
        printf(", %s\n", ah_stability_word(s->at[i].part[0].verdict));
    }
    ah_ctx *e = ah_answer_context(equations);
    const ah_derive_values *d = ah_answer_derive(equations);
    for (size_t i = 0; i < d->equations; i++) {
        printf("%s = ", ah_print(e, d->equation[i].unknown, AH_ASCII));
        puts(ah_print(e, d->equation[i].value, AH_ASCII));
    }
    const int status = ah_answer_yes(claims) ? 0 : 1;
    ah_answer_destroy(equations);
    ah_answer_destroy(steady);
    ah_answer_destroy(integrals);
    ah_answer_destroy(claims);
    ah_model_destroy(m);
    ah_ctx_destroy(ctx);
    return status;
}

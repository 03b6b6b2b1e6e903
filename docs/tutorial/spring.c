#include <anholo/anholo.h>
#include <stdio.h>

int main(void)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *answer = NULL;
    const char text[] = "coordinate x\nkinetic 1/2*x'^2\npotential 1/2*x^2\n", *words = NULL;
    if (ah_read(ctx, "spring", text, sizeof text - 1, NULL, &m) == AH_OK &&
        ah_derive(m, NULL, &answer) == AH_OK &&
        ah_answer_write(answer, AH_TEXT, &words) == AH_OK)
        puts(words);
    ah_answer_destroy(answer);
    ah_ctx_destroy(ctx);
}

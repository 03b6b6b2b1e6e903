#include <anholo/anholo.h>
#include <stdio.h>

static const char text[] = "coordinate x\n"
                           "kinetic 1/2*x'^2\n"
                           "potential 1/2*x^2 + 1/4*x^4\n"
                           "start x = 2\n"
                           "simulate t = 0 .. 10\n";

int main(void)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *answer = NULL;
    ah_system *system = NULL;
    ah_motion *motion = NULL;
    const char *words = NULL;
    double y[2];
    FILE *table = fopen("spring.csv", "w");
    if (ah_read(ctx, "spring", text, sizeof text - 1, NULL, &m) == AH_OK &&
        ah_derive(m, NULL, &answer) == AH_OK &&
        ah_answer_write(answer, AH_TEXT, &words) == AH_OK)
        puts(words);
    if (table && ah_system_create(m, NULL, &system) == AH_OK &&
        ah_motion_create(system, NULL, &motion) == AH_OK) {
        fputs("t,x,v\n", table);
        for (int k = 0; k <= 200; k++)
            if (ah_motion_advance(motion, 0.05 * k) == AH_OK &&
                ah_motion_state_at(motion, 0.05 * k, y) == AH_OK)
                fprintf(table, "%.2f,%.6f,%.6f\n", 0.05 * k, y[0], y[1]);
    }
    if (table) fclose(table);
    ah_motion_destroy(motion);
    ah_system_destroy(system);
    ah_answer_destroy(answer);
    ah_ctx_destroy(ctx);
}

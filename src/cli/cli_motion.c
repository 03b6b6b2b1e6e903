/* cli/cli_motion.c - options of the commands that make a motion. */
#include "cli.h"

/* What is wrong with the options; NULL: nothing. */
static const char *wrong_options(const cli *c, const ah_simulate_options *o)
{
    if (cli_get(c, "--every") && !(o->every > 0)) return "`--every` is a positive number";
    if (!cli_get(c, "--every") && o->samples < 2) return "`--samples` is at least 2: both ends";
    if (!(o->rtol >= 0) || !(o->atol >= 0)) return "tolerances are not negative";
    if (o->rtol == 0 && o->atol == 0) return "one of `--rtol` and `--atol` must be positive";
    return NULL;
}

int cli_motion(const cli *c, ah_simulate_options *o)
{
    o->to = cli_get(c, "--to");
    o->at = cli_get(c, "--at");
    o->method = cli_get(c, "--method");
    o->rtol = cli_number(c, "--rtol", o->rtol);
    o->atol = cli_number(c, "--atol", o->atol);
    o->integrator = cli_get(c, "--integrator");
    o->engine = cli_get(c, "--engine");
    o->every = cli_number(c, "--every", 0);
    o->samples = cli_count(c, "--samples", o->samples);
    o->most_steps = cli_count(c, "--max-steps", 0);
    o->branch = cli_count(c, "--branch", 0);
    o->project = cli_flag(c, "--project");
    const char *wrong = wrong_options(c, o);
    if (o->method && !cli_is_method(o->method)) return cli_unknown_method(c, o->method);
    return wrong ? cli_fail(c->json, EXIT_USAGE, NULL, "%s", wrong) : 0;
}

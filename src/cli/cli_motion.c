/* cli/cli_motion.c - options of the commands that make a motion. */
#include "cli.h"

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
    if (o->method && !cli_is_method(o->method)) return cli_unknown_method(c, o->method);
    if (!cli_get(c, "--every") && o->samples < 2)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`--samples` is at least 2: both ends");
    return 0;
}

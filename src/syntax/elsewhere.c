/* syntax/elsewhere.c - words that papers and other tools have for our statements. */
#include "parser.h"

#include <string.h>

enum { NAME_SHORT = 32 }; /* longer than all of these words */

static const struct {
    const char *ours, *theirs; /* each between spaces */
} synonyms[] = {
    {"system", " title model name project "},
    {"parameter", " const constant param symbol "},
    {"coordinate", " variable variables generalized generalised dof state "},
    {"input", " control actuator motor "},
    {"let", " define def where "},
    {"point", " mass particle masspoint "},
    {"body", " rigid link part solid "},
    {"kinetic", " lagrangian lagrange energy "},
    {"torque", " moment couple "},
    {"dissipation", " friction damping rayleigh "},
    {"hinge", " joint revolute pin pivot "},
    {"slider", " prismatic "},
    {"ball", " spherical "},
    {"weld", " fixed rigidly "},
    {"surface", " ground floor plane "},
    {"roll", " contact rolling "},
    {"slide", " touch sliding "},
    {"constraint", " holonomic nonholonomic constrain condition "},
    {"velocity", " speed speeds "},
    {"quasivelocity", " quasi quasispeed pseudovelocity "},
    {"start", " initial initially init ic "},
    {"simulate", " run time integrate solve tspan "},
    {"stop", " terminate until end "},
    {"record", " event on when "},
    {"claim", " assert theorem verify prove check "},
    {"output", " plot print measure "},
};

const char *parse_elsewhere(const char *word)
{
    char between[NAME_SHORT + 3];
    const size_t length = strlen(word);
    if (length > NAME_SHORT) return NULL;
    between[0] = ' ';
    memcpy(between + 1, word, length);
    memcpy(between + 1 + length, " ", 2);
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strstr(synonyms[i].theirs, between)) return synonyms[i].ours;
    return NULL;
}

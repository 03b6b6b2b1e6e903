/* analyse/energy.h - what changes the energy. */
#ifndef ANALYSE_ENERGY_H
#define ANALYSE_ENERGY_H
#include "../model/model.h"
#include <anholo/analyse.h>

/* In the model's context. *out is set when the status is AH_OK. */
ah_status analyse_energy(ah_model *m, const ah_energy **out);

#endif

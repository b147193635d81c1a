#ifndef DAYBOOK_CGD_SHIM_H
#define DAYBOOK_CGD_SHIM_H

#include <gd.h>
#include <gd_errors.h>

#endif

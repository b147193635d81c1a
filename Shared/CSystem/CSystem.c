#define _GNU_SOURCE
#include "CSystem.h"

int daybook_spawn_closing_from(posix_spawn_file_actions_t *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

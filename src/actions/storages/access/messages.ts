/** Messages about storages that several actions answer. */
export const NOT_LINKED = 'Storage is not linked to project.';
export const NO_STORAGE = 'Storage does not exist.';

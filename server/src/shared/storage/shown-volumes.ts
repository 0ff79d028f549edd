/** Ids of the volumes whose rows users see, at each read; undefined: those of every volume. */
export type ShownVolumes = () => readonly string[] | undefined

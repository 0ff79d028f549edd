/** `given` if it is one of the values, otherwise the fallback. */
export const oneOf = <T extends string>(values: readonly T[], given: string | undefined, otherwise: T): T =>
  values.find((value) => value === given) ?? otherwise

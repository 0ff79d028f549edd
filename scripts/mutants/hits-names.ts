/** The name of the global function that instrumented code calls. */
export const hitFunction = '__mutantHit'

/** The environment variable with the file that receives the hits. Set: the sources are instrumented. */
export const hitsVariable = 'MUTANT_HITS'

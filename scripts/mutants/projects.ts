/**
 * The projects of vitest.config.ts whose tests run the sources in their own process. In the order in which they are tried,
 * so that a mutant which a unit test notices needs no service.
 */
export const projects = ['unit', 'unit-isolated', 'in-process', 'in-process-long', 'mounting']

/** Maximum seconds of a camera's connection test. */
export const connectionTestTimeout = 30

import { heldMuxing } from './held-exports.ts'

/** In place of that of the service, in a process whose environment is that of held exports. */
export const startMuxingThread = heldMuxing(process.env['HELD_EXPORTS'] ?? '')

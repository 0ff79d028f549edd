/**
 * Version of what instances send each other: paths, tickets, messages and the framing of video. It changes only if
 * instances with the number before would misread something; what they can ignore or refuse doesn't change it.
 */
export const innerProtocol = 1

/** Header of every response of an inner server: its protocol. */
export const protocolHeader = 'gatehouse-protocol'

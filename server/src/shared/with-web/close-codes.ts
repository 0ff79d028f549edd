/** The codes with which the service closes a WebSocket, by the reason. 4000 to 4999 are its own (RFC 6455, section 7.4.2). */
export const closeCodes = {
  unauthenticated: 4401,
  forbidden: 4403,
  'not-found': 4404,
  recheck: 4408,
  undecided: 1013,
  stopping: 1001,
} as const

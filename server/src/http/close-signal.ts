import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A signal that is aborted once the response has been sent, or its connection has closed: from then on, no one gets what
 * is done for the request.
 */
export function closeSignal({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const closed = new AbortController()
  const onClose = (): void => {
    socket.off('close', onClose)
    closed.abort()
  }
  if (response.destroyed || socket.destroyed) closed.abort()
  else {
    response.once('close', onClose)
    // The response of a WebSocket is detached from its connection, and one that waits for an earlier one has none yet. A
    // client can send any number of requests without waiting, and Node would warn of a leak at the eleventh.
    socket.setMaxListeners(0).once('close', onClose)
  }
  return closed.signal
}

import type { FastifyInstance } from 'fastify'
import { StartError } from '../shared/errors.ts'
import { codeOrMessage } from '../shared/caught-error.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Listens on an address. `::` means IPv6 and IPv4, or only IPv4 if the machine has no IPv6.
 *
 * @param key the configuration key of the address, for the error message.
 * @throws StartError with status 1.
 */
export async function listen(app: FastifyInstance, key: string, { host, port }: Address): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (cause) {
    const code = codeOrMessage(cause)
    const noIpv6 = host === '::' && ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(code)
    if (noIpv6) return listen(app, key, { host: '0.0.0.0', port })
    throw new StartError(`${key}: Couldn't listen on ${host} port ${port} (${code}).`, { status: 1, cause })
  }
}

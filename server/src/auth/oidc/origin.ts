import type { Client } from '../../shared/http/request-meta.ts'

/** This service's origin, as the client sees it. */
export const originOf = ({ encrypted, host }: Pick<Client, 'encrypted' | 'host'>): string =>
  `${encrypted ? 'https' : 'http'}://${host}`

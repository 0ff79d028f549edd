import type { Client } from '../../shared/request-meta.ts'

/** This service's origin, as the client sees it. */
export const originOf = ({ encrypted, host }: Pick<Client, 'encrypted' | 'host'>): string =>
  `${encrypted ? 'https' : 'http'}://${host}`

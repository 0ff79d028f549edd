import { derivedLength, type Derivation } from './derive.ts'

/** What the service sends to its hashing process. */
export interface HashingRequest extends Derivation {
  readonly id: number
}

/** What the hashing process answers. */
export interface HashingAnswer {
  readonly id: number
  /** Base64. */
  readonly derived: string
}

export const isHashingRequest = (message: unknown): message is HashingRequest =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  typeof message.id === 'number' &&
  'password' in message &&
  typeof message.password === 'string' &&
  'salt' in message &&
  typeof message.salt === 'string' &&
  'iterations' in message &&
  typeof message.iterations === 'number'

export const isHashingAnswer = (message: unknown): message is HashingAnswer =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  typeof message.id === 'number' &&
  'derived' in message &&
  typeof message.derived === 'string' &&
  Buffer.from(message.derived, 'base64').length === derivedLength

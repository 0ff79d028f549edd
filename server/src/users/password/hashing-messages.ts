import { derivedLength, type Derivation } from './derive.ts'

/** A message from the service to its hashing process. */
export interface HashingRequest extends Derivation {
  readonly id: number
}

/** The hashing process's response. */
export interface HashingResponse {
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

export const isHashingResponse = (message: unknown): message is HashingResponse =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  typeof message.id === 'number' &&
  'derived' in message &&
  typeof message.derived === 'string' &&
  Buffer.from(message.derived, 'base64').length === derivedLength

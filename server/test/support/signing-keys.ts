import { generateKeyPair, type GenerateKeyPairResult } from 'jose'

let generated: Promise<GenerateKeyPairResult> | undefined

/** The keys with which the OpenID providers of the tests sign. Generating RSA keys takes 50 ms of CPU time. */
export const signingKeys = (): Promise<GenerateKeyPairResult> =>
  (generated ??= generateKeyPair('RS256', { extractable: true }))

import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

/** Options as the service sends them. */
interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
}

/** What an authenticator or a browser says that a test changes. */
export interface Claims {
  readonly origin: string
  readonly rpId: string
  readonly challenge: string
  readonly type: string
  readonly userVerified: boolean
  readonly counter: number
  readonly userHandle: string
  /** Signs with another key. */
  readonly key: KeyObject
}

/** A passkey and its authenticator, in software. */
export interface Authenticator {
  readonly id: string
  /** The result of `navigator.credentials.create()`. */
  create(options: unknown, claims?: Partial<Claims>): object
  /** The result of `navigator.credentials.get()`. */
  get(options: unknown, claims?: Partial<Claims>): object
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** @param origin of the page that calls the browser */
export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  let handle = ''

  const clientData = (type: string, challenge: string, claims: Partial<Claims>): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: claims.type ?? type,
        challenge: claims.challenge ?? challenge,
        origin: claims.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const head = (rpId: string, attested: boolean, claims: Partial<Claims>): Buffer => {
    counter = claims.counter ?? counter + 1
    const bytes = Buffer.alloc(5)
    bytes[0] = 0x01 | ((claims.userVerified ?? true) ? 0x04 : 0) | (attested ? 0x40 : 0)
    bytes.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(claims.rpId ?? rpId), bytes])
  }
  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    id: id.toString('base64url'),
    create(options, claims = {}) {
      const { challenge, rp, user } = options as Options
      handle = user?.id ?? ''
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // RFC 9052: an ES256 key. RFC 8949: maps and byte strings with their lengths.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const data = Buffer.concat([
        head(rp?.id ?? '', true, claims),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ])
      const object = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge, claims).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal'],
      })
    },
    get(options, claims = {}) {
      const { challenge, rpId = '' } = options as Options
      const client = clientData('webauthn.get', challenge, claims)
      const data = head(rpId, false, claims)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(claims.key ?? privateKey)
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: claims.userHandle ?? handle,
      })
    },
  }
}

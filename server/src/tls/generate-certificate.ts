import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { JsonGeneralNames } from '@peculiar/x509'
import { networksFrom } from '../shared/http/networks.ts'
import { constraintsOf, permittedFor, permittedIn, permittedPart } from './name-constraints.ts'
import type { CertificateNames } from './host-names.ts'
import { ecdsa, keyPem, nameConstraints, signingKey, validity, x509Library, type KeyPair } from './x509.ts'
import { day } from '../shared/time/durations.ts'
import { utcDateOf } from '../shared/time/utc-date.ts'

/** Milliseconds, ten years: when the authority expires, every device has to trust a new one. */
const authorityLifetime = 3652 * day
/** Milliseconds. Apple devices reject more than 398 days. */
const serverCertificateLifetime = 396 * day
/** Milliseconds before its expiry at which a certificate is replaced. */
const renewedBefore = 30 * day

/** Creates a certificate authority that can sign only one host's server certificates, for local networks only. */
export async function createCertificateAuthority(site: CertificateNames, now: number): Promise<KeyPair> {
  const x509 = await x509Library()
  const host = site.names.find((name) => name !== 'localhost') ?? 'localhost'
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    // The date distinguishes several authorities of one host on a phone.
    name: [{ O: ['Gatehouse'] }, { CN: [`Gatehouse ${host} ${utcDateOf(now)}`.slice(0, 64)] }],
    ...validity(now, authorityLifetime),
    signingAlgorithm: ecdsa,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.Extension(nameConstraints, true, await constraintsOf(permittedFor(site))),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { key: await keyPem(keys.privateKey), cert: `${authority.toString('pem')}\n` }
}

/** Splits names into those that the authority can sign and the others; an authority without constraints can sign all. */
export async function permittedBy(
  authority: KeyPair,
  site: CertificateNames,
): Promise<{ readonly site: CertificateNames; readonly uncovered: readonly string[] }> {
  const x509 = await x509Library()
  const constraints = new x509.X509Certificate(authority.cert).getExtension(nameConstraints)
  return constraints ? permittedPart(site, await permittedIn(constraints.value)) : { site, uncovered: [] }
}

/** Issues a server certificate. `cert` contains the chain with the authority. */
export async function issueServerCertificate(
  authority: KeyPair,
  { names, addresses }: CertificateNames,
  now: number,
): Promise<KeyPair> {
  const x509 = await x509Library()
  const above = new x509.X509Certificate(authority.cert)
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const alternatives: JsonGeneralNames = [
    ...names.map((value) => ({ type: 'dns', value }) as const),
    ...addresses.map((value) => ({ type: 'ip', value }) as const),
  ]
  const serverCertificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [(names[0] ?? 'gatehouse').slice(0, 64)] }],
    issuer: above.subjectName,
    ...validity(now, serverCertificateLifetime, above.notAfter),
    signingAlgorithm: ecdsa,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternatives),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(above.publicKey),
    ],
  })
  return { key: await keyPem(keys.privateKey), cert: `${serverCertificate.toString('pem')}\n${authority.cert}` }
}

/** Why a pair can't be used; undefined if it can. */
export function pairProblem({ key, cert }: KeyPair): 'certificate' | 'key' | 'mismatch' | undefined {
  const certificate = orNone(() => new X509Certificate(cert))
  if (!certificate) return 'certificate'
  const privateKey = orNone(() => createPrivateKey(key))
  if (!privateKey) return 'key'
  if (!certificate.checkPrivateKey(privateKey)) return 'mismatch'
  // OpenSSL decides about a broken chain or a key that is too weak.
  return orNone(() => createSecureContext({ key, cert })) ? undefined : 'certificate'
}

function orNone<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** Whether a certificate expires so soon that it has to be replaced. */
export const endsSoon = (certificate: X509Certificate, now: number): boolean =>
  now > certificate.validToDate.getTime() - renewedBefore

/** Names and addresses that a certificate doesn't cover. */
export function unnamed(certificate: X509Certificate, { names, addresses }: CertificateNames): readonly string[] {
  return [
    ...names.filter((name) => certificate.checkHost(name, { wildcards: false, subject: 'never' }) === undefined),
    ...addresses.filter((address) => certificate.checkIP(address) === undefined && !hasNeighbor(certificate, address)),
  ]
}

/** Temporary IPv6 addresses change daily, and no one types them: another address in the same /64 needs no new certificate. */
function hasNeighbor(certificate: X509Certificate, address: string): boolean {
  if (!address.includes(':') || address === '::1') return false
  const near = networksFrom([`${address}/64`])
  return [...(certificate.subjectAltName ?? '').matchAll(/IP Address:([\da-fA-F:]+)/g)].some(([, named = '']) =>
    near(named),
  )
}

import { X509Certificate } from 'node:crypto'
import { constraintsOf } from '../../tls/name-constraints.ts'
import { ecdsa, keyPem, nameConstraints, signingKey, validity, x509Library, type KeyPair } from '../../tls/x509.ts'
import { day } from '../../shared/time/durations.ts'
import { utcDateOf } from '../../shared/time/utc-date.ts'

/** Milliseconds. */
const authorityLifetime = 3652 * day
/** Milliseconds: an instance makes itself another one long before. */
const certificateLifetime = day

/** Milliseconds before its end from which a certificate is replaced. */
export const renewedBefore = { authority: 30 * day, certificate: (2 / 3) * certificateLifetime } as const

/**
 * DNS domain of the names in the certificates, which no resolver needs to know: a certificate names the instance, not
 * the address at which it is reached, so that the authority can be constrained to this domain.
 */
const domain = 'instance.gatehouse.internal'

/** The DNS name of an instance, for its certificate. */
export const certificateName = (instance: string): string => `${instance}.${domain}`

/** The instance that a verified certificate names; undefined if it names none, or anything else. */
export function instanceIn({ subjectAltName }: X509Certificate): string | undefined {
  const [, instance] = /^DNS:([0-9a-z]{1,63})\.instance\.gatehouse\.internal$/.exec(subjectAltName ?? '') ?? []
  return instance
}

/** Creates the certificate authority of the instances. It can sign names of instances, and nothing else. */
export async function createInstanceAuthority(now: number): Promise<KeyPair> {
  const x509 = await x509Library()
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Gatehouse'] }, { CN: [`Gatehouse instances ${utcDateOf(now)}`] }],
    ...validity(now, authorityLifetime),
    signingAlgorithm: ecdsa,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      new x509.Extension(nameConstraints, true, await constraintsOf({ names: [domain], networks: [] })),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { key: await keyPem(keys.privateKey), cert: `${authority.toString('pem')}\n` }
}

/** Issues the certificate of an instance, with which it both serves and connects. */
export async function issueInstanceCertificate(authority: KeyPair, instance: string, now: number): Promise<KeyPair> {
  const x509 = await x509Library()
  const above = new x509.X509Certificate(authority.cert)
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [instance] }],
    issuer: above.subjectName,
    ...validity(now, certificateLifetime, above.notAfter),
    signingAlgorithm: ecdsa,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: certificateName(instance) }]),
      await x509.AuthorityKeyIdentifierExtension.create(above.publicKey),
    ],
  })
  return { key: await keyPem(keys.privateKey), cert: `${certificate.toString('pem')}\n` }
}

/** Whether a certificate has to be replaced: it ends soon, or hasn't begun, because a clock was ahead when it was issued. */
export function isRenewalDue({ cert }: Pick<KeyPair, 'cert'>, before: number, now: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(cert)
  return now < validFromDate.getTime() || now > validToDate.getTime() - before
}

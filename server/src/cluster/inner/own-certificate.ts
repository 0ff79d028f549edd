import type { Runtime } from '../../shared/runtime.ts'
import type { KeyPair } from '../../tls/x509.ts'
import { isRenewalDue, issueInstanceCertificate, renewedBefore } from './instance-certificate.ts'

/** What both ends of a connection between instances need. */
export interface InnerTls extends KeyPair {
  /** Certificate of the authority, PEM. */
  readonly ca: string
  readonly minVersion: 'TLSv1.3'
}

/** The certificate of this instance, which exists only in memory, and is renewed while the instance runs. */
export interface OwnCertificate {
  options(): InnerTls
  /** Calls `apply` with every later certificate. */
  onChange(apply: (options: InnerTls) => void): void
  stop(): void
}

export interface OwnCertificateDeps extends Runtime {
  readonly instance: string
  /** The authority, as it is now. */
  readonly authority: () => Promise<KeyPair>
}

/** Milliseconds. A timer for the renewal would stop while the machine is suspended, and not notice that its clock is set. */
const checkInterval = 60_000

/** @throws ServiceError `unavailable` if the database is unavailable */
export async function openOwnCertificate(deps: OwnCertificateDeps): Promise<OwnCertificate> {
  const { instance, authority, clock, log } = deps
  const receivers = new Set<(options: InnerTls) => void>()
  const issue = async (above: KeyPair): Promise<InnerTls> => {
    const { key, cert } = await issueInstanceCertificate(above, instance, clock.now())
    return { key, cert, ca: above.cert, minVersion: 'TLSv1.3' }
  }
  let options = await issue(await authority())
  let failing = false
  const isDue = (): boolean => isRenewalDue(options, renewedBefore.certificate, clock.now())
  // Reads the authority every time: with one that another instance replaced, the two would refuse each other.
  const renew = async (): Promise<void> => {
    try {
      const above = await authority()
      if (above.cert === options.ca && !isDue()) return
      options = await issue(above)
      for (const apply of receivers) apply(options)
      if (failing) log.info({}, 'certificate of this instance renewed')
      failing = false
    } catch (err) {
      // Without the database there is nothing to compare with, which is no failure of this certificate.
      if (!isDue()) return
      if (!failing) log.warn({ err }, 'failed to renew certificate of this instance; retrying')
      failing = true
    }
  }
  const stopChecks = clock.every(checkInterval, () => void renew())
  return {
    options: () => options,
    onChange: (apply) => void receivers.add(apply),
    stop: stopChecks,
  }
}

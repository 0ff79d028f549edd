import { readFile } from 'node:fs/promises'
import { pairProblem, type KeyPair } from './generate-certificate.ts'

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** What stands in the files, fit or not. */
export interface FilesRead {
  readonly pair: KeyPair
  /** Why it cannot be used, naming the file; undefined when it can. */
  readonly problem: string | undefined
}

/** Reads both files of a configured certificate (`tls.cert_file`, `tls.key_file`). */
export async function readConfigured({ certFile, keyFile }: CertificateFiles): Promise<FilesRead> {
  const [cert, key] = await Promise.all([textOf(certFile), textOf(keyFile)])
  const pair = { cert: cert.text, key: key.text }
  if (cert.problem !== undefined) return { pair, problem: `tls.cert_file ${certFile} cannot be read: ${cert.problem}` }
  if (key.problem !== undefined) return { pair, problem: `tls.key_file ${keyFile} cannot be read: ${key.problem}` }
  const trouble = pairProblem(pair)
  return { pair, problem: trouble && words[trouble]({ certFile, keyFile }) }
}

const words = {
  certificate: ({ certFile }: CertificateFiles) =>
    `tls.cert_file ${certFile} holds no certificate chain (PEM) that can be used`,
  key: ({ keyFile }: CertificateFiles) => `tls.key_file ${keyFile} holds no private key (PEM, without a passphrase)`,
  mismatch: ({ certFile, keyFile }: CertificateFiles) =>
    `tls.key_file ${keyFile} is not the key of the first certificate in tls.cert_file ${certFile}`,
}

async function textOf(file: string): Promise<{ text: string; problem: string | undefined }> {
  try {
    return { text: await readFile(file, 'utf8'), problem: undefined }
  } catch (error) {
    return { text: '', problem: (error as NodeJS.ErrnoException).code ?? 'unknown' }
  }
}

// Prints a software bill of materials (CycloneDX, JSON) of what users get: the service's packages, and those that the
// build bundles into the web UI. Reads only the lockfile, so it needs no network.
import { resolve } from 'node:path'
import { npmOnShipped } from './shipped/shipped-packages.ts'

const text = npmOnShipped(resolve(import.meta.dirname, '..'), ['sbom', '--sbom-format=cyclonedx'])
if (text === '') process.exitCode = 1
process.stdout.write(text)

// Starts the service from its sources, for development and tests.
import { runService } from './run-service.mjs'

await runService(() => import('./src/main.ts'))

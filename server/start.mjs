// Starts the service as users run it.
import { loadService } from './load-code.mjs'
import { runService } from './run-service.mjs'

await runService(loadService)

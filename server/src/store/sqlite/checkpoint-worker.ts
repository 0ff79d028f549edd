import { workerData } from 'node:worker_threads'
import { checkpointSqlite } from './checkpoint.ts'

checkpointSqlite(String(workerData))

import { workerData } from 'node:worker_threads'
import { checkpointSqlite } from './checkpoint.ts'

/** The program of the thread that checkpoints the log. It gets the path of the database. */
checkpointSqlite(String(workerData))

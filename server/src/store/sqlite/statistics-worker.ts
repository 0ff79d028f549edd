import { workerData } from 'node:worker_threads'
import { analyzeSqlite } from './statistics.ts'

/** The program of the thread that refreshes statistics. It gets the path of the database. */
analyzeSqlite(String(workerData))

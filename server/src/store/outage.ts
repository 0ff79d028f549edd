import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { ServiceError } from '../shared/errors.ts'

/** Turns every database failure into `unavailable`. Errors of the statement itself stay unchanged. */
const outage = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', {
    reason: 'database-unavailable',
    cause,
    retryAfter: 2,
  })

/** Wraps `dialect`: every error for which `isOutage` is true becomes `unavailable`. */
export function withOutages(dialect: Dialect, isOutage: (error: unknown) => boolean): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => driverWithOutages(dialect.createDriver(), isOutage),
  }
}

function driverWithOutages(driver: Driver, isOutage: (error: unknown) => boolean): Driver {
  const seen = new WeakSet<DatabaseConnection>()
  const tried = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw !(error instanceof ServiceError) && isOutage(error) ? outage(error) : error
    }
  }
  return {
    init: (options) => tried(() => driver.init(options)),
    async acquireConnection(options) {
      const connection = await tried(() => driver.acquireConnection(options))
      if (!seen.has(connection)) {
        seen.add(connection)
        const execute = connection.executeQuery.bind(connection)
        connection.executeQuery = (query, options) => tried(() => execute(query, options))
      }
      return connection
    },
    beginTransaction: (connection, settings) => tried(() => driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => tried(() => driver.commitTransaction(connection)),
    rollbackTransaction: (connection) => tried(() => driver.rollbackTransaction(connection)),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  }
}

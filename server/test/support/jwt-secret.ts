/** For the environment of all instances on one database, which share it. */
export const SERVICE_JWT_SECRET = 'a secret shared by all instances, as long as required and then some more'

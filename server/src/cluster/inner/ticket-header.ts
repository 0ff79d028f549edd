/** Request header with the ticket. */
export const ticketHeader = 'x-gatehouse-ticket'

/** Max bytes of a path with query. */
export const pathLimit = 2048

/** `If-None-Match` headers that all match a version, in different notations. */
export const namingVersion = (etag: string): readonly string[] => [
  etag,
  `W/${etag}`,
  '*',
  `"another", ${etag}`,
  `${etag},"another"`,
  `"another" , W/${etag}`,
]

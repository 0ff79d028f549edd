/** The build without subtitles, alternate audio and DRM, which recordings never use. The full build has the types. */
declare module 'hls.js/light' {
  export * from 'hls.js'
  export { default, default as Hls } from 'hls.js'
}

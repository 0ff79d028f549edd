/**
 * Size of the analyzed frame, regardless of the camera's size and aspect ratio: fractions of the frame stay the same.
 * One pixel is the mean of 144 pixels of a 1080p frame, which removes most noise; a person a tenth of the frame's
 * height still has about twenty pixels.
 */
export const gray = { width: 160, height: 90, size: 160 * 90 } as const

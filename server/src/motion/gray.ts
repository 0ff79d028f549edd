/**
 * Pixels of the picture that is looked at, whatever the camera's size and shape: shares of the picture stay what they
 * are. One pixel is the mean of 144 of a 1080p picture, which takes most of its noise away, and a person of a tenth of
 * the picture's height is still some twenty of them.
 */
export const grey = { width: 160, height: 90, size: 160 * 90 } as const

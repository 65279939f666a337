/** Lines upwards to the right: how far one is from the next, and how far each reaches from its middle, along the foot. */
export const hatchStep = 5;
export const hatchWidth = 1.5;
export const hatchReach = (hatchWidth * Math.SQRT2) / 2;

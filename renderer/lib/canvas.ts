/** Canvases in CSS pixels, sharp on dense displays. */

/** As large as it is asked for, and clear. */
export function prepareCanvas(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | undefined {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) resize(canvas, w, h, ratio);
  return cleared(canvas, ratio);
}

/**
 * At least as large, and clear: of one that is cut by what it lies in. Pixels cost more to be asked for than to be cleared, and what stands beside a layer comes
 * and goes. It reaches `margin` pixels further to the left and to the right, and is reckoned from where it is without.
 */
export function prepareLayer(canvas: HTMLCanvasElement, width: number, height: number, margin = 0): CanvasRenderingContext2D | undefined {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round((width + 2 * margin) * ratio), Math.round(height * ratio)];
  if (canvas.dataset['ratio'] !== String(ratio)) resize(canvas, w, h, ratio);
  else if (canvas.width < w || canvas.height < h) resize(canvas, Math.max(w, canvas.width), Math.max(h, canvas.height), ratio);
  const left = margin === 0 ? '' : `${-margin}px`;
  if (canvas.style.left !== left) {
    canvas.style.left = left;
    canvas.dataset['margin'] = String(margin);
  }
  const context = cleared(canvas, ratio);
  context?.translate(margin, 0);
  return context;
}

function resize(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  canvas.width = width;
  canvas.height = height;
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
  canvas.dataset['ratio'] = String(ratio);
}

function cleared(canvas: HTMLCanvasElement, ratio: number): CanvasRenderingContext2D | undefined {
  const context = canvas.getContext('2d') ?? undefined;
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, canvas.width / ratio, canvas.height / ratio);
  return context;
}

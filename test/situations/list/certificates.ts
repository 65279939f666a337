/** Situations of certificate signing requests: who is approved, what is signed, what a signer refuses. */
import { janesRequest, kubeletRequest, servingRequest } from '../../support/certificate-requests.ts';
import { object } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, patch, remove, rest, until, untilGone } from '../steps.ts';

const request = 'certificatesigningrequests/<ns>-r';
const kubelet = { signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['digital signature', 'client auth'] };
const serving = { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] };
const client = { signerName: 'kubernetes.io/kube-apiserver-client', usages: ['digital signature', 'key encipherment', 'client auth'] };

const asks = (pem: string, spec: object): Step =>
  create(object('certificates.k8s.io/v1', 'CertificateSigningRequest', '<ns>-r', { spec: { request: btoa(pem), ...spec } }));
/** Somebody decides by hand. */
const decides = (type: 'Approved' | 'Denied'): Step =>
  patch(`${request}/approval`, { status: { conditions: [{ type, status: 'True', reason: 'ByHand', message: 'by the test' }] } });
const signed: Step = until(request, ({ status }) => (status as { readonly certificate?: string } | undefined)?.certificate !== undefined);
const failed: Step = until(request, { status: { conditions: [{ type: 'Failed' }] } });

export const certificatesSituations = situationsOf('certificates', [
  situation('a kubelet gets its certificate', [asks(kubeletRequest, kubelet), signed, rest()]),
  situation('a kubelet gets one with key encipherment', [
    asks(kubeletRequest, { ...kubelet, usages: ['digital signature', 'key encipherment', 'client auth'] }),
    signed,
    rest(),
  ]),
  situation('a kubelet asks for other usages', [asks(kubeletRequest, { ...kubelet, usages: ['digital signature', 'server auth'] }), rest()]),
  situation('somebody else asks for what a kubelet has', [asks(janesRequest, kubelet), rest()]),
  situation('a request with names is no client of a kubelet', [asks(servingRequest, kubelet), rest()]),
  situation('nobody approves what a kubelet answers with', [asks(servingRequest, serving), rest()]),
  situation('what a kubelet answers with is approved', [asks(servingRequest, serving), rest(), decides('Approved'), signed, rest()]),
  situation('it has no names', [asks(kubeletRequest, serving), rest(), decides('Approved'), failed, rest()]),
  situation('it is of somebody else', [asks(janesRequest, serving), rest(), decides('Approved'), failed, rest()]),
  situation('it has other usages', [
    asks(servingRequest, { ...serving, usages: ['digital signature', 'server auth', 'client auth'] }),
    rest(),
    decides('Approved'),
    failed,
    rest(),
  ]),
  situation('a client waits', [asks(janesRequest, client), rest()]),
  situation('a client is approved', [asks(janesRequest, client), rest(), decides('Approved'), signed, rest()]),
  situation('a client is approved for an hour', [
    asks(janesRequest, { ...client, expirationSeconds: 3600 }),
    rest(),
    decides('Approved'),
    signed,
    rest(),
  ]),
  situation('a client asks for the usages of a server', [
    asks(janesRequest, { ...client, usages: ['digital signature', 'client auth', 'server auth'] }),
    rest(),
    decides('Approved'),
    failed,
    rest(),
  ]),
  situation('a client is no client', [asks(janesRequest, { ...client, usages: ['digital signature'] }), rest(), decides('Approved'), failed, rest()]),
  situation('a client is denied', [asks(janesRequest, client), rest(), decides('Denied'), rest()]),
  situation('the approver comes too late', [asks(kubeletRequest, client), decides('Denied'), rest()]),
  situation('the signer of old is not asked any more', [
    asks(janesRequest, { signerName: 'kubernetes.io/legacy-unknown', usages: ['code signing'] }),
    rest(),
  ]),
  situation('nobody knows the signer', [
    asks(janesRequest, { signerName: 'example.com/own', usages: ['client auth'] }),
    rest(),
    decides('Approved'),
    rest(),
  ]),
  situation('a request is none', [asks('no request', client), rest()]),
  situation('it would be good for too short a time', [asks(janesRequest, { ...client, expirationSeconds: 599 }), rest()]),
  situation('it is approved and denied', [asks(janesRequest, client), rest(), decides('Denied'), decides('Approved'), rest()]),
  situation('a request goes', [asks(janesRequest, client), rest(), remove(request), untilGone(request), rest()]),
]);

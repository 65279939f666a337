// Asks the library of custom resource definitions about schemas and values (a JSON object a line), or with the argument "definitions" about
// whole definitions. To build: a module that requires k8s.io/apiextensions-apiserver at the release, this file in it, `go build`.
// `../record.ts` runs it.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
	celmodel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
)

type asked struct {
	Schema  json.RawMessage
	Value   json.RawMessage
	Old     json.RawMessage
	Columns []v1.CustomResourceColumnDefinition
}

var scheme = runtime.NewScheme()

func main() {
	install.Install(scheme)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<24), 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		if len(os.Args) > 1 {
			out.Encode(definition(in.Bytes()))
		} else {
			out.Encode(one(in.Bytes()))
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func texts(errs field.ErrorList) []string {
	list := []string{}
	for _, err := range errs {
		list = append(list, err.Error())
	}
	sort.Strings(list)
	return list
}

func decode(raw json.RawMessage) any {
	var value any
	must(utiljson.Unmarshal(raw, &value))
	return value
}

func one(line []byte) map[string]any {
	var q asked
	must(json.Unmarshal(line, &q))
	var props v1.JSONSchemaProps
	must(json.Unmarshal(q.Schema, &props))
	var internal apiextensions.JSONSchemaProps
	must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil))
	answer := map[string]any{}
	s, err := schema.NewStructural(&internal)
	must(err)
	answer["structure"] = texts(schema.ValidateStructural(field.NewPath("openAPIV3Schema"), s))

	value := decode(q.Value)
	names := pruning.PruneWithOptions(value, s, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	answer["unknown"] = names
	answer["pruned"] = runtime.DeepCopyJSONValue(value)
	defaulting.PruneNonNullableNullsWithoutDefaults(value, s)
	defaulting.Default(value, s)
	answer["defaulted"] = runtime.DeepCopyJSONValue(value)

	coerced := decode(q.Value)
	fault, unknown := objectmeta.CoerceWithOptions(nil, coerced, s, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if fault != nil {
		answer["coerceFault"] = fault.Error()
	} else {
		answer["coerced"] = coerced
		answer["coerceUnknown"] = unknown
	}
	dropped := decode(q.Value)
	objectmeta.CoerceWithOptions(nil, dropped, s, false, objectmeta.CoerceOptions{DropInvalidFields: true})
	answer["dropped"] = dropped

	raw := decode(q.Value)
	answer["embedded"] = texts(objectmeta.Validate(nil, raw, s, false))
	if object, ok := raw.(map[string]any); ok {
		answer["lists"] = texts(listtype.ValidateListSetsAndMaps(nil, s, object))
	}
	validator, _, err := apiservervalidation.NewSchemaValidator(&internal)
	must(err)
	answer["faults"] = texts(apiservervalidation.ValidateCustomResource(nil, raw, validator))
	answer["defaultFaults"] = texts(apiservervalidation.ValidateCustomResource(field.NewPath("default"), raw, apiservervalidation.NewSchemaValidatorFromOpenAPI(s.ToKubeOpenAPI())))
	if q.Old != nil {
		old := decode(q.Old)
		correlated := common.NewCorrelatedObject(raw, old, &celmodel.Structural{Structural: s})
		answer["updateFaults"] = texts(apiservervalidation.ValidateCustomResourceUpdate(nil, raw, old, validator, apiservervalidation.WithRatcheting(correlated)))
	}
	if q.Columns != nil {
		table, err := tableconvertor.New(q.Columns)
		if err != nil {
			answer["columnsFault"] = err.Error()
		}
		rows, err := table.ConvertToTable(context.TODO(), &unstructured.Unstructured{Object: raw.(map[string]any)}, nil)
		must(err)
		answer["cells"] = rows.Rows[0].Cells
	}
	return answer
}

// definition answers as the strategy of definitions does: defaults, what creation sets, validation.
func definition(line []byte) map[string]any {
	var q struct{ New, Old json.RawMessage }
	must(json.Unmarshal(line, &q))
	created := read(q.New)
	if q.Old == nil {
		for _, version := range created.Spec.Versions {
			if version.Storage {
				created.Status.StoredVersions = []string{version.Name}
				break
			}
		}
		return map[string]any{"faults": texts(validation.ValidateCustomResourceDefinition(context.TODO(), created))}
	}
	old := read(q.Old)
	return map[string]any{"faults": texts(validation.ValidateCustomResourceDefinitionUpdate(context.TODO(), created, old))}
}

func read(raw json.RawMessage) *apiextensions.CustomResourceDefinition {
	crd := &v1.CustomResourceDefinition{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if err := decoder.Decode(crd); err != nil {
		panic(fmt.Sprintf("%v: %s", err, raw))
	}
	scheme.Default(crd)
	internal := &apiextensions.CustomResourceDefinition{}
	must(scheme.Convert(crd, internal, nil))
	return internal
}
